// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TaskToken} from "../src/TaskToken.sol";
import {deploy} from "./utils/Deploy.sol";
import {vm} from "./utils/Vm.sol";

contract TaskTokenTest {
    bool public constant IS_TEST = true;
    address private constant HOLDER = address(0xD1);

    function test_Construct() external {
        bytes memory arguments = abi.encode("Task Token", "TASK", HOLDER, 100 ether);
        TaskToken token = TaskToken(deploy("TaskToken", arguments));
        vm.assertEq(keccak256(bytes(token.name())), keccak256("Task Token"));
        vm.assertEq(keccak256(bytes(token.symbol())), keccak256("TASK"));
        vm.assertEq(token.decimals(), 18);
        vm.assertEq(token.totalSupply(), 100 ether);
        vm.assertEq(token.balanceOf(HOLDER), 100 ether);
        (, string memory signed,,,,,) = token.eip712Domain();
        vm.assertEq(keccak256(bytes(signed)), keccak256("Task Token"));
    }
}

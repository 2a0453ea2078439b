// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Market} from "../utils/Market.sol";
import {vm} from "../utils/Vm.sol";

/// @dev Attack: the shipped code differs from the reviewed code: it can be replaced, delegates to
/// another contract's code, or destroys itself. Defence: the deployed artifacts contain no
/// DELEGATECALL, CALLCODE or SELFDESTRUCT, in either creation or runtime code.
contract ShippedCodeTest is Market {
    uint8 private constant PUSH1 = 0x60;
    uint8 private constant PUSH32 = 0x7f;
    uint8 private constant CALLCODE = 0xf2;
    uint8 private constant DELEGATECALL = 0xf4;
    uint8 private constant SELFDESTRUCT = 0xff;

    function test_Escrow() external {
        escrow = _shippedEscrow();
        _assertHarmless("escrow", address(escrow).code);
        _assertHarmless("staking", address(escrow.applicationStaking()).code);
        _assertHarmless("creation of the escrow", vm.getCode("artifacts/Escrow.json"));
        _assertHarmless("creation of staking", vm.getCode("artifacts/ApplicationStaking.json"));
    }

    function test_Others() external {
        _assertDeployed("artifacts/Treasury.json", abi.encode(owner));
        _assertDeployed("artifacts/TaskToken.json", abi.encode("Task Token", "TASK", owner, 1));
        _assertDeployed("artifacts/RewardDistributor.json", abi.encode(token, owner, owner, 1));
        _assertHarmless("signature check", vm.getCode("artifacts/SignatureCheck.json"));
    }

    /// @dev The count covers opcodes only and skips the data of PUSH instructions.
    function test_CountSkipsPushData() external pure {
        bytes1[3] memory forbidden = [bytes1(CALLCODE), bytes1(DELEGATECALL), bytes1(SELFDESTRUCT)];
        for (uint256 i = 0; i < forbidden.length; ++i) {
            vm.assertEq(_count(abi.encodePacked(forbidden[i])), 1);
            vm.assertEq(_count(abi.encodePacked(hex"6000", forbidden[i])), 1);
            vm.assertEq(_count(abi.encodePacked(hex"5f", forbidden[i])), 1);
            vm.assertEq(_count(abi.encodePacked(hex"60", forbidden[i])), 0);
            vm.assertEq(_count(abi.encodePacked(hex"7f", bytes31(0), forbidden[i])), 0);
            vm.assertEq(_count(abi.encodePacked(hex"7f", bytes32(0), forbidden[i])), 1);
        }
    }

    function _assertDeployed(string memory artifact, bytes memory arguments) private {
        _assertHarmless(artifact, _create(artifact, arguments).code);
        _assertHarmless(artifact, vm.getCode(artifact));
    }

    function _assertHarmless(string memory name, bytes memory code) private pure {
        vm.assertTrue(code.length > 500, name);
        vm.assertEq(_count(code), 0, name);
    }

    /// @dev Counts the three opcodes, instruction by instruction. Immutable values are PUSH data
    /// too and are skipped.
    function _count(bytes memory code) private pure returns (uint256 found) {
        for (uint256 i = 0; i < code.length; ++i) {
            uint8 opcode = uint8(code[i]);
            if (opcode >= PUSH1 && opcode <= PUSH32) i += opcode - PUSH1 + 1;
            else if (opcode == CALLCODE || opcode == DELEGATECALL || opcode == SELFDESTRUCT) ++found;
        }
    }
}

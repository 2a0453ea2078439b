// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PasskeyAccount} from "../../src/PasskeyAccount.sol";
import {Accounts} from "../utils/Accounts.sol";
import {passkeyOf, plainOf} from "../utils/Passkeys.sol";
import {vm} from "../utils/Vm.sol";

contract PasskeyAccountFactoryTest is Accounts {
    function test_CreatesACloneAtItsAddress() external {
        bytes[] memory owners = _only(passkeyOf(verifier, 7));
        address expected = factory.addressOf(owners, 0);
        vm.assertEq(expected.code.length, 0);
        vm.prank(address(uint160(0xBAD))); // anyone may create it
        vm.assertEq(factory.create(owners, 0), expected);
        bytes memory clone = abi.encodePacked(
            hex"363d3d373d3d3d363d73", factory.implementation(), hex"5af43d82803e903d91602b57fd5bf3"
        );
        vm.assertEq(keccak256(expected.code), keccak256(clone));
        PasskeyAccount created = PasskeyAccount(payable(expected));
        vm.assertTrue(created.isSigner(owners[0]));
        vm.assertEq(created.getSignerCount(), 1);
        vm.assertEq(created.threshold(), 1);
        vm.assertEq(created.verifier(), verifier);
        vm.assertEq(address(created.entryPoint()), address(entryPoint));
    }

    function test_CreateReturnsAnAccountThatExists() external {
        bytes[] memory owners = _only(plainOf(7));
        address created = factory.create(owners, 0);
        bytes32 code = created.codehash;
        vm.assertEq(factory.create(owners, 0), created);
        vm.assertEq(created.codehash, code);
        vm.assertEq(PasskeyAccount(payable(created)).getSignerCount(), 1);
    }

    function test_AddressCommitsToTheFirstOwners() external view {
        bytes[] memory two = new bytes[](2);
        (two[0], two[1]) = (passkeyOf(verifier, 7), plainOf(8));
        bytes[] memory swapped = new bytes[](2);
        (swapped[0], swapped[1]) = (two[1], two[0]);
        address[4] memory addresses = [
            factory.addressOf(two, 0),
            factory.addressOf(two, bytes32(uint256(1))),
            factory.addressOf(swapped, 0),
            factory.addressOf(_only(two[0]), 0)
        ];
        for (uint256 i = 0; i < addresses.length; ++i) {
            for (uint256 j = 0; j < i; ++j) {
                vm.assertTrue(addresses[i] != addresses[j]);
            }
        }
    }

    function test_RevertWhen_OwnerIsNotAllowed() external {
        bytes memory foreign = passkeyOf(address(0x777777), 7);
        vm.expectRevert(abi.encodeWithSelector(PasskeyAccount.InvalidOwner.selector, foreign));
        factory.create(_only(foreign), 0);
    }
}

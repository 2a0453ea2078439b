// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "./Vm.sol";

/// @dev The EIP-7702 cheat code: the next call includes an authorisation signed by a key.
interface VmDelegation {
    struct SignedDelegation {
        uint8 v;
        bytes32 r;
        bytes32 s;
        uint64 nonce;
        address implementation;
    }

    function signAndAttachDelegation(address implementation, uint256 key)
        external
        returns (SignedDelegation memory);
}

/// @dev Sets the code of `key`'s account to `implementation`; the zero address removes it.
function delegate(uint256 key, address implementation) {
    VmDelegation(address(vm)).signAndAttachDelegation(implementation, key);
    (bool sent,) = vm.addr(0xCA).call("");
    vm.assertTrue(sent);
    bytes memory code = abi.encodePacked(hex"ef0100", implementation);
    bytes32 want = keccak256(implementation == address(0) ? bytes("") : code);
    vm.assertEq(keccak256(vm.addr(key).code), want, "delegation");
}

/// @dev Account code that makes several calls in one transaction. Only the account itself can call
/// it.
contract BatchAccount {
    struct Call {
        address target;
        bytes data;
    }

    error NotMyself(address caller);
    error CallFailed(uint256 index);

    function run(Call[] calldata calls) external {
        if (msg.sender != address(this)) revert NotMyself(msg.sender);
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool done,) = calls[i].target.call(calls[i].data);
            if (!done) revert CallFailed(i);
        }
    }
}
